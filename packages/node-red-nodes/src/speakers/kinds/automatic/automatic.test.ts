import { describe, expect, it } from 'vitest'
import { soundOf } from '../../../sounds/sound.ts'
import type { Driver } from '../../driver.ts'
import { SpeakerError } from '../../speaker-error.ts'
import { createAutomaticDriver } from './automatic.ts'

const format = { audioEncoding: 'PCM', sampleRateHertz: 24_000 } as const
const sound = soundOf(format, new Uint8Array(2))

function createCandidate(name: string) {
  const candidate = { isOpen: true, sounds: 0, isClosed: false }
  const driver: Driver = {
    async prepare() {
      if (!candidate.isOpen) throw new SpeakerError('NO_PLAYER', `${name} is closed`)
      return format
    },
    async play() {
      candidate.sounds += 1
      return { confirmedBy: 'player' }
    },
    async close() {
      candidate.isClosed = true
    },
  }
  return { candidate, driver }
}

describe('the speaker of a node that names none', () => {
  const editor = createCandidate('the editor')
  const machine = createCandidate('the machine')
  const automatic = createAutomaticDriver({ editor: editor.driver, machine: machine.driver })
  const signal = new AbortController().signal
  const sayAndCount = async () => {
    await automatic.prepare(signal)
    await automatic.play(sound, { signal, volume: 100, onFirstSound() {}, handOut() {} })
    return [automatic.place?.(), editor.candidate.sounds, machine.candidate.sounds]
  }

  it('is the editor while it can play, else the machine, for each sound anew', async () => {
    expect(await sayAndCount()).toEqual(['editor', 1, 0])
    editor.candidate.isOpen = false
    expect(await sayAndCount()).toEqual(['machine', 1, 1])
    editor.candidate.isOpen = true
    expect(await sayAndCount()).toEqual(['editor', 2, 1])
  })

  it('fails with the error of the editor if nothing can play', async () => {
    editor.candidate.isOpen = false
    machine.candidate.isOpen = false
    await expect(automatic.prepare(signal)).rejects.toThrow('the editor is closed')
  })

  it('does not try the next one after an abort', async () => {
    machine.candidate.isOpen = true
    const aborted = AbortSignal.abort(new Error('stopped'))
    await expect(automatic.prepare(aborted)).rejects.toThrow('stopped')
  })

  it('closes all of them', async () => {
    await automatic.close()
    expect([editor, machine].map(({ candidate }) => candidate.isClosed)).toEqual([true, true])
  })
})
