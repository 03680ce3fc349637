"""The emulated screen: bytes of the child in, `ScreenSnapshot`s and answers to its queries out. On pyte."""
