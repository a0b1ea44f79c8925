// Nothing but the precompiled header, which every test binary reuses.
