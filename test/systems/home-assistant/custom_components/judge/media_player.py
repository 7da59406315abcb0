"""Plays music and announcements with a program; an announcement interrupts the music, which then goes on."""

import asyncio
import time
from typing import Any

from homeassistant.components.media_player import (
    MediaPlayerEntity,
    MediaPlayerEntityFeature,
    MediaPlayerState,
)
from homeassistant.core import HomeAssistant


async def async_setup_platform(hass: HomeAssistant, config, add_entities, discovery_info=None):
    add_entities([AnnouncingPlayer()])


class AnnouncingPlayer(MediaPlayerEntity):
    _attr_name = "Announcer"
    _attr_should_poll = False
    _attr_state = MediaPlayerState.IDLE
    _attr_volume_level = 0.8
    _attr_supported_features = (
        MediaPlayerEntityFeature.PLAY_MEDIA
        | MediaPlayerEntityFeature.MEDIA_ANNOUNCE
        | MediaPlayerEntityFeature.STOP
        | MediaPlayerEntityFeature.VOLUME_SET
    )
    program: asyncio.subprocess.Process | None = None
    music: tuple[str, float] | None = None

    async def async_play_media(self, media_type: str, media_id: str, announce: bool | None = None, **kwargs: Any):
        await self.end()
        self.hass.async_create_background_task(self.play(media_id, 0, bool(announce)), "play")

    async def play(self, media_id: str, skip_seconds: float, announces: bool) -> None:
        frames = round(skip_seconds * 44_100 / 1152)
        scale = round(32_768 * self.volume_level)
        command = f"mpg123 --quiet -o pulse -f {scale} -k {frames}"
        program = await asyncio.create_subprocess_exec(*command.split(), media_id)
        started = time.monotonic() - skip_seconds
        self.program = program
        if not announces:
            self.music = (media_id, started)
        self.show(MediaPlayerState.PLAYING, media_id)
        await program.wait()
        if self.program is not program:
            return
        self.program = None
        if announces and self.music:
            music, began = self.music
            await self.play(music, time.monotonic() - began, False)
        else:
            self.music = None
            self.show(MediaPlayerState.IDLE, None)

    async def async_media_stop(self) -> None:
        self.music = None
        await self.end()
        self.show(MediaPlayerState.IDLE, None)

    async def async_set_volume_level(self, volume: float) -> None:
        self._attr_volume_level = volume
        self.async_write_ha_state()

    async def end(self) -> None:
        program, self.program = self.program, None
        if program:
            program.kill()
            await program.wait()

    def show(self, state: MediaPlayerState, media_id: str | None) -> None:
        self._attr_state = state
        self._attr_media_content_id = media_id
        self.async_write_ha_state()
