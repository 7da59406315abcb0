import { serviceNodeOf, services } from './nodes.ts'
import { mpdSpeaker, pageSpeaker, speaker } from './speakers.ts'
import { announcements, guests, longTexts, pages, phone, reminders, talk } from './tabs.ts'

export interface FlowOptions {
  hostedUrl: string
  steadyUrl: string
  /** A Redis server. Default: none. */
  storeUrl?: string | undefined
  /** The address of MPD. */
  mpd: string
  /** A recording to clone a voice from. */
  recording: string
}

/** A flow that uses every function of the nodes, once with each service. */
export function systemFlow(options: FlowOptions): object[] {
  const hosted = { type: 'parlando-service', location: 'hosted' }
  return [
    {
      id: serviceNodeOf('device'),
      type: 'parlando-service',
      location: 'device',
      name: 'This device',
    },
    {
      ...hosted,
      id: serviceNodeOf('hosted'),
      name: 'Restarted',
      baseUrl: options.hostedUrl,
      ...(options.storeUrl && { ...sharesSound, redisUrl: options.storeUrl }),
    },
    {
      ...hosted,
      id: serviceNodeOf('steady'),
      name: 'Steady',
      baseUrl: options.steadyUrl,
      ...keepsSound,
    },
    ...services.flatMap((service) => [
      ...announcements(service),
      ...talk(service),
      ...guests(service, options.recording),
      ...pages(service),
      ...phone(service),
      ...speaker(service),
      ...mpdSpeaker(service, options.mpd),
      ...pageSpeaker(service),
      ...longTexts(service),
      ...reminders(service),
    ]),
  ]
}

/** So few that sounds are deleted again. */
const keepsSound = { keepSound: 'disk', keepMegabytes: '10' }
/** And counts what is spoken, for a budget that is never spent. */
const sharesSound = { keepSound: 'redis', charactersPerMonth: '1e12' }
