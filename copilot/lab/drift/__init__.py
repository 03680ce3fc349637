"""Drift: is an installed coding CLI still the one that its profile was measured on?

The CLI runs offline against the scripted model server and is walked through the standard dialogs; what is
detected at each is compared with what was measured.
"""
