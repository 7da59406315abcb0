"""Plays two addresses on a Cast device with pychromecast, the second one only briefly. Prints what the device reports, one a line."""

import json
import sys
import threading
import uuid

import pychromecast
from pychromecast.controllers.media import MediaStatusListener

port, first, second = int(sys.argv[1]), sys.argv[2], sys.argv[3]
limit = 20


class Reporter(MediaStatusListener):
    """Notes each state that the device reports."""

    def __init__(self) -> None:
        self.states: list[str] = []
        self.changed = threading.Condition()

    def new_media_status(self, status) -> None:
        state = " ".join(filter(None, [status.player_state, status.idle_reason]))
        with self.changed:
            if not self.states or self.states[-1] != state:
                self.states.append(state)
            self.changed.notify_all()

    def load_media_failed(self, queue_item_id: int, error_code: int) -> None:
        with self.changed:
            self.states.append(f"FAILED {error_code}")
            self.changed.notify_all()

    def wait_for(self, state: str) -> None:
        with self.changed:
            assert self.changed.wait_for(lambda: self.states[-1:] == [state], limit), self.states


host = ("127.0.0.1", port, uuid.uuid4(), "Chromecast Audio", "Kitchen")
cast = pychromecast.get_chromecast_from_host(host, tries=1, timeout=limit)
cast.wait(limit)
reporter = Reporter()
media = cast.media_controller
media.register_status_listener(reporter)
before = cast.status.volume_level
cast.set_volume(0.5)
media.play_media(first, "audio/mpeg", stream_type="BUFFERED")
media.block_until_active(limit)
reporter.wait_for("PLAYING")
content = media.status.content_id == first
reporter.wait_for("IDLE FINISHED")
media.play_media(second, "audio/mpeg", stream_type="BUFFERED")
reporter.wait_for("PLAYING")
media.stop()
reporter.wait_for("IDLE CANCELLED")
app = cast.app_display_name
# The client notes its own end, too.
states = list(reporter.states)
cast.set_volume(before)
volume = cast.status.volume_level
cast.quit_app(limit)
report = {"app": app, "before": before, "after": volume, "content": content}
print(json.dumps({**report, "states": states, "ended": cast.app_id is None}))
cast.disconnect(limit)
