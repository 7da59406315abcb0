import { describe, expect, it } from 'vitest'
import { clipsIn, readSonosMessage } from './sonos-message.ts'

const text = (header: object, body: object) => JSON.stringify([header, body])

describe('a message of a Sonos player', () => {
  it('is the result of a command, or why it failed', () => {
    expect(readSonosMessage(text({ cmdId: '7', success: true }, { id: 'a' }))).toMatchObject({
      id: '7',
      isResult: true,
      result: { id: 'a' },
    })
    const body = { errorCode: 'ERROR_UNSUPPORTED_COMMAND', reason: 'no' }
    expect(readSonosMessage(text({ cmdId: '7', success: false }, body))).toMatchObject({
      isResult: true,
      error: 'ERROR_UNSUPPORTED_COMMAND, no',
    })
    expect(readSonosMessage('[{"success":false}]')).toMatchObject({ id: '', error: '?' })
  })

  it('is an event otherwise, with the status of clips', () => {
    const audioClips = [{ id: 'a', status: 'ACTIVE' }, { id: 'b' }, { status: 'DONE' }, 7]
    const message = readSonosMessage(text({ type: 'audioClipStatus' }, { audioClips }))
    expect(message).toMatchObject({ isResult: false })
    expect(clipsIn(message?.event)).toEqual([
      { id: 'a', status: 'ACTIVE', errorCode: '' },
      { id: 'b', status: '', errorCode: '' },
    ])
  })

  it.each(['', '{}', '7', 'null', '[]', '[[]', '{"success":true}'])('is none: %s', (sent) => {
    expect(readSonosMessage(sent)).toBeUndefined()
  })

  it.each([undefined, 7, [], { audioClips: 7 }, { audioClips: {} }])(
    'has no clips: %j',
    (event) => {
      expect(clipsIn(event)).toEqual([])
    },
  )
})
