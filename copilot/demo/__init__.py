"""The bundled simulated coding CLI and the demo that drives it."""
