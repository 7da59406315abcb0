import { describe, expect, it } from 'vitest'
import { PageCommandEar } from './page-command-ear.ts'

const open = { type: 'ear', use: 'commands', isOpen: true }
const closed = { ...open, isOpen: false }

function createEars(isAllowed = true) {
  const sent: object[] = []
  const ears = new PageCommandEar((message) => sent.push(message))
  const heard: string[] = []
  const listen = (name: string) => {
    const closing = new AbortController()
    const onPcm = (pcm: Buffer, microphone: string) => heard.push(`${name} ${microphone} ${pcm}`)
    return { ended: ears.open(onPcm, closing.signal), close: () => closing.abort() }
  }
  const forbid = isAllowed ? ears.allow() : () => {}
  return { forbid, ears, sent, heard, listen }
}

describe('the microphones of a page, for commands', () => {
  it('are not mentioned to browsers if the form does not allow them, and hear nothing', async () => {
    const { ears, sent, heard, listen } = createEars(false)
    expect(ears.message).toBeUndefined()
    const { ended } = listen('alarm')
    ears.takeSound('tablet', Buffer.from('a'))
    await ended
    expect([sent, heard]).toEqual([[], []])
  })

  it('record while something is announced, each with its name', async () => {
    const { ears, sent, heard, listen } = createEars()
    expect(ears.message).toEqual(closed)
    ears.takeSound('tablet', Buffer.from('before'))
    const { ended, close } = listen('alarm')
    expect(ears.message).toEqual(open)
    ears.takeSound('tablet', Buffer.from('a'))
    ears.takeSound('phone', Buffer.from('b'))
    close()
    await ended
    ears.takeSound('tablet', Buffer.from('after'))
    expect(heard).toEqual(['alarm tablet a', 'alarm phone b'])
    expect(sent).toEqual([closed, open, closed])
  })

  it('stay open when the next announcement begins before the last one has closed them', async () => {
    const { ears, sent, heard, listen } = createEars()
    const first = listen('first')
    const second = listen('second')
    first.close()
    await first.ended
    ears.takeSound('tablet', Buffer.from('a'))
    expect(heard).toEqual(['second tablet a'])
    expect(ears.message).toEqual(open)
    second.close()
    await second.ended
    expect(sent).toEqual([closed, open, open, closed])
  })

  it('are not opened for an announcement that is over', async () => {
    const { ears, sent } = createEars()
    await ears.open(() => {}, AbortSignal.abort())
    expect(sent).toEqual([closed])
  })

  it('are closed at the end of an announcement whose speaker is closed', async () => {
    const { sent, listen, forbid } = createEars()
    const { ended, close } = listen('alarm')
    forbid()
    close()
    await ended
    expect(sent).toEqual([closed, open, closed])
  })

  it('are allowed until the last speaker that allows them is closed', () => {
    const { ears, sent, forbid } = createEars()
    const forbidOther = ears.allow()
    forbid()
    expect(ears.message).toEqual(closed)
    forbidOther()
    expect(ears.message).toBeUndefined()
    expect(sent).toEqual([closed])
  })
})
