import type { NodeAPI } from 'node-red'
import { Announcer } from '../../announcements/announcer.ts'
import {
  providePlayback,
  type SharedPlayback,
} from '../../announcements/playing-nodes/shared-playback.ts'
import type { SoundStore } from '../../sounds/to-play/sound-store.ts'
import type { SpeakerKind } from '../../speakers/speaker-kind.ts'
import { findSpeakers, type KnownSpeakers } from './find-speakers.ts'
import { expandGroups } from './groups.ts'
import { PendingAlarms } from './pending-alarms.ts'

interface SharedSpeakers {
  kinds: readonly SpeakerKind[]
  sounds: SoundStore
  /** All speakers, now. */
  known(): KnownSpeakers
  onDeployed: SharedPlayback['onDeployed']
}

/** Provides the announcer, the sounds and the speakers to the nodes that play. @returns what shows alarms on speakers. */
export function shareSpeakers(
  RED: NodeAPI,
  { kinds, sounds, known, onDeployed }: SharedSpeakers,
): PendingAlarms {
  const pendingAlarms = new PendingAlarms((id, action) => {
    if (action === 'acknowledge') announcer.acknowledge(undefined, id)
    else announcer.postpone(undefined, id)
  })
  const announcer = new Announcer(RED, (alarms) => pendingAlarms.show(alarms, known().configured))
  onDeployed(() => announcer.speakersReplaced())
  providePlayback({
    announcer,
    sounds,
    find: (names) => expandGroups(findSpeakers(names, known(), RED)),
    onDeployed,
    notePlayed(url) {
      for (const kind of kinds) kind.notePlayed?.(url)
    },
  })
  return pendingAlarms
}
