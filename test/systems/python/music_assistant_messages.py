"""Prints the messages that the models of Music Assistant make, as JSON."""

import json
from datetime import UTC, datetime

from music_assistant_models.api import ErrorResultMessage, ServerInfoMessage, SuccessResultMessage
from music_assistant_models.auth import User
from music_assistant_models.enums import EventType, PlayerFeature, PlayerType
from music_assistant_models.event import MassEvent
from music_assistant_models.player import DeviceInfo, Player
from music_assistant_models.translations import TRANSLATION_RESOLVER

# As the server does: the errors name no keys of translations then.
TRANSLATION_RESOLVER.set(lambda *_, **__: None)
player = Player(
    player_id="kitchen",
    provider="squeezelite",
    type=PlayerType.PLAYER,
    name="kitchen",
    available=True,
    device_info=DeviceInfo(),
    supported_features={PlayerFeature.PLAY_MEDIA, PlayerFeature.VOLUME_SET},
    powered=True,
    volume_level=80,
    volume_control="native",
)
messages = {
    "serverInfo": ServerInfoMessage(
        server_id="judge",
        server_version="2.11.0",
        schema_version=46,
        min_supported_schema_version=28,
        base_url="http://127.0.0.1:8095",
        onboard_done=True,
    ),
    "error": ErrorResultMessage("1", 11, "details"),
    "result": SuccessResultMessage("1", None),
    "user": User("1", "owner", "admin", created_at=datetime(2026, 11, 26, tzinfo=UTC)),
    "event": MassEvent(event=EventType.PLAYER_UPDATED, object_id="kitchen", data=None),
}
frames = {name: json.loads(message.to_json()) for name, message in messages.items()}
print(json.dumps({**frames, "player": player.to_dict()}, indent=2))
