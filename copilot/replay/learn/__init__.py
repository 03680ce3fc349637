"""From unknown screens that a person has labelled to rules with examples, verified before they are shown."""
