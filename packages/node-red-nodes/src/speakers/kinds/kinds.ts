import type { NodeAPI } from 'node-red'
import type { SpeakerKind } from '../speaker-kind.ts'
import { anotherNodeSpeaker } from './another-node/another-node.ts'
import { automaticSpeaker } from './automatic/automatic.ts'
import { castSpeaker } from './cast/cast.ts'
import { dlnaSpeaker } from './dlna/dlna.ts'
import { editorSpeaker } from './editor/editor.ts'
import { go2rtcSpeaker } from './go2rtc/go2rtc.ts'
import { homeAssistantSpeaker } from './home-assistant/home-assistant.ts'
import { machineSpeaker } from './machine/machine.ts'
import { mpdSpeaker } from './mpd/mpd.ts'
import { musicAssistantSpeaker } from './music-assistant/music-assistant.ts'
import { pageSpeaker } from './page/page.ts'
import { snapcastSpeaker } from './snapcast/snapcast.ts'
import { sonosSpeaker } from './sonos/sonos.ts'
import { squeezeboxSpeaker } from './squeezebox/squeezebox.ts'

/** Every kind of speaker, in the order of the form. Called once, because kinds add routes. */
export function createSpeakerKinds(RED: NodeAPI): Readonly<Record<string, SpeakerKind>> {
  const editor = editorSpeaker(RED)
  return {
    automatic: automaticSpeaker({ editor, machine: machineSpeaker }),
    editor,
    machine: machineSpeaker,
    page: pageSpeaker(RED),
    mpd: mpdSpeaker,
    snapcast: snapcastSpeaker,
    squeezebox: squeezeboxSpeaker(RED),
    'home-assistant': homeAssistantSpeaker,
    'music-assistant': musicAssistantSpeaker,
    sonos: sonosSpeaker,
    cast: castSpeaker,
    dlna: dlnaSpeaker,
    go2rtc: go2rtcSpeaker,
    'another-node': anotherNodeSpeaker,
  }
}
