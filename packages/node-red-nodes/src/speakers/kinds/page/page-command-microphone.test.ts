import { describe, expect, it } from 'vitest'
import { PageCommandMicrophone } from './page-command-microphone.ts'

const open = { type: 'microphone', use: 'commands', isOpen: true }
const closed = { ...open, isOpen: false }

function createMicrophone(isAllowed = true) {
  const sent: object[] = []
  const microphones = new PageCommandMicrophone((message) => sent.push(message))
  const heard: string[] = []
  const listen = (name: string) => {
    const closing = new AbortController()
    const onPcm = (pcm: Buffer, microphone: string) => heard.push(`${name} ${microphone} ${pcm}`)
    return { ended: microphones.open(onPcm, closing.signal), close: () => closing.abort() }
  }
  const forbid = isAllowed ? microphones.allow() : () => {}
  return { forbid, microphones, sent, heard, listen }
}

describe('the microphones of a page, for commands', () => {
  it('are not mentioned to browsers if the form does not allow them, and hear nothing', async () => {
    const { microphones, sent, heard, listen } = createMicrophone(false)
    expect(microphones.message).toBeUndefined()
    const { ended } = listen('alarm')
    microphones.takeSound('tablet', Buffer.from('a'))
    await ended
    expect([sent, heard]).toEqual([[], []])
  })

  it('record while something is announced, each with its name', async () => {
    const { microphones, sent, heard, listen } = createMicrophone()
    expect(microphones.message).toEqual(closed)
    microphones.takeSound('tablet', Buffer.from('before'))
    const { ended, close } = listen('alarm')
    expect(microphones.message).toEqual(open)
    microphones.takeSound('tablet', Buffer.from('a'))
    microphones.takeSound('phone', Buffer.from('b'))
    close()
    await ended
    microphones.takeSound('tablet', Buffer.from('after'))
    expect(heard).toEqual(['alarm tablet a', 'alarm phone b'])
    expect(sent).toEqual([closed, open, closed])
  })

  it('stay open when the next announcement begins before the last one has closed them', async () => {
    const { microphones, sent, heard, listen } = createMicrophone()
    const first = listen('first')
    const second = listen('second')
    first.close()
    await first.ended
    microphones.takeSound('tablet', Buffer.from('a'))
    expect(heard).toEqual(['second tablet a'])
    expect(microphones.message).toEqual(open)
    second.close()
    await second.ended
    expect(sent).toEqual([closed, open, open, closed])
  })

  it('are not opened for an announcement that is over', async () => {
    const { microphones, sent } = createMicrophone()
    await microphones.open(() => {}, AbortSignal.abort())
    expect(sent).toEqual([closed])
  })

  it('are closed at the end of an announcement whose speaker is closed', async () => {
    const { sent, listen, forbid } = createMicrophone()
    const { ended, close } = listen('alarm')
    forbid()
    close()
    await ended
    expect(sent).toEqual([closed, open, closed])
  })

  it('are allowed until the last speaker that allows them is closed', () => {
    const { microphones, sent, forbid } = createMicrophone()
    const forbidOther = microphones.allow()
    forbid()
    expect(microphones.message).toEqual(closed)
    forbidOther()
    expect(microphones.message).toBeUndefined()
    expect(sent).toEqual([closed])
  })
})
