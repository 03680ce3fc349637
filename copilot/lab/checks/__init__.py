"""Checks on what happened in a trial: of reasoning and of mechanics, each with its reasons."""
