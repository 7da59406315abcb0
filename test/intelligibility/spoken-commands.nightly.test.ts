import { needsRecogniser } from '@parlando/test-support/audio/recogniser'
import { beforeAll, expect, it } from 'vitest'
import { listEnglishVoices, useService } from './service.ts'
import { createScenes, speakerOf } from './spoken-command-scenes.ts'

const getClient = useService()

const count = Number(process.env['PARLANDO_SPOKEN_COMMANDS'] || 200)
const minUnderstood = 0.7
const english = {
  language: 'en-US',
  words: ['stop', 'okay', 'later', 'again'],
  frames: [
    'Please {} the machine in the cellar, it has been running for an hour.',
    'The bus will {} at the station, and then it goes on to the market.',
    '{} is what the sign at the door says, and nobody reads it.',
    'He said {}, and then he left the house without his umbrella.',
    'Call me {} if the door rings. The parcel should arrive at noon.',
    'Dinner is ready. {}. It is on the table in the kitchen.',
    'The washing machine will be done {}, in about five minutes from now.',
    'You can do it {}, or tomorrow, when the weather is better.',
    'The answer to the question was {}. The next question is for you.',
    'It rains. Say {}. The window in the bedroom is open.',
  ],
  commands: [
    ['stop', 'stop'],
    ['okay', 'acknowledge'],
    ['later', 'later'],
    ['again', 'again'],
    ['be quiet', 'stop'],
    ['all right', 'acknowledge'],
    ['remind me later', 'later'],
    ['say it again', 'again'],
  ],
} as const

let scenes: ReturnType<typeof createScenes>
beforeAll(async () => {
  const speaker = speakerOf(getClient(), await listEnglishVoices(getClient()))
  scenes = createScenes(getClient(), english, speaker, count)
})

const options = { ...needsRecogniser(), timeout: 7_200_000 }

it(`of ${count} announcements that contain the commands, none stops itself`, options, async () => {
  expect(await scenes.listenAlone()).toEqual([])
})

it(
  `of ${count} commands that somebody says over an announcement, most are understood, and none as another`,
  options,
  async () => {
    const { wrong, understoodShare } = await scenes.listenToCommands()
    expect(wrong).toEqual([])
    expect(understoodShare).toBeGreaterThanOrEqual(minUnderstood)
  },
)
