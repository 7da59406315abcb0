import { RED } from '@parlando/test-support/node-red/fake-red'
import { expect, it } from 'vitest'
import { type PlaybackForm, readPlayback } from './playback-settings.ts'

const namesOf = (form: PlaybackForm, message: object = {}) =>
  readPlayback(RED, form, message).speakerNames

it.each<[string, PlaybackForm, object, string[]]>([
  ['one speaker', { speaker: 'a1' }, {}, ['a1']],
  ['no speaker', {}, {}, []],
  [
    'what is ticked besides',
    { speaker: 'a1', alsoOn: ['b2', 'Kitchen'] },
    {},
    ['a1', 'b2', 'Kitchen'],
  ],
  ['only what is ticked', { speaker: '', alsoOn: ['Kitchen'] }, {}, ['Kitchen']],
  ['the message alone', { speaker: 'a1', alsoOn: ['b2'] }, { speakers: 'Hall' }, ['Hall']],
  ['the message alone, as a list', { alsoOn: ['b2'] }, { speakers: ['Hall', ' '] }, ['Hall']],
  ['the form, if the message is empty', { speaker: 'a1' }, { speakers: '' }, ['a1']],
])('plays on %s', (_what, form, message, names) => {
  expect(namesOf(form, message)).toEqual(names)
})

it.each([
  [{ alsoOn: [7] }, {}],
  [{ alsoOn: {} }, {}],
  [{}, { speakers: [null] }],
])('rejects what is no list of names: %j %j', (form, message) => {
  expect(() => namesOf(form as never, message)).toThrow('not-speakers')
})
