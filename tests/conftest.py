"""Settings of all tests."""

from hypothesis import settings

# Time limits of single examples say nothing on a busy machine.
settings.register_profile("guandan", deadline=None)
settings.load_profile("guandan")
