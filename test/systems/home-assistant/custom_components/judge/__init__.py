"""A media player that announces: of the integrations of Home Assistant that do, none runs without a device."""
