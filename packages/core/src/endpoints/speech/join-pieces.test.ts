import { describe, expect, it } from 'vitest'
import { ConnectionError } from '../../errors.ts'
import type { Sink, Source } from '../../streams/sink.ts'
import { type JoinOptions, joinPieces, maxWaitingBytes } from './join-pieces.ts'
import type { SpeechChunk } from './utterance-audio.ts'

/** A source that the test controls, and its state. */
interface ManualPiece {
  sink: Sink<SpeechChunk>
  isPaused: boolean
  isClosed: boolean
}

/** Joins sources that the test controls. `events` holds the delivered audio, the end or the error. */
function joinManually(count: number, options?: JoinOptions, onText = (_text: string) => {}) {
  const pieces: ManualPiece[] = []
  const events: unknown[] = []
  const source: Source<SpeechChunk> = (sink) => {
    const piece: ManualPiece = { sink, isPaused: false, isClosed: false }
    pieces.push(piece)
    return {
      pause: () => Object.assign(piece, { isPaused: true }),
      resume: () => Object.assign(piece, { isPaused: false }),
      close: () => Object.assign(piece, { isClosed: true }),
    }
  }
  const sink: Sink<SpeechChunk> = {
    next({ audio }) {
      const text = Buffer.from(audio).toString()
      onText(text)
      events.push(text)
    },
    end: () => void events.push('end'),
    error: (error) => void events.push(error),
  }
  const control = joinPieces(Array(count).fill(source), options)(sink)
  const deliver = (index: number, text: string) =>
    pieces[index]!.sink.next({ audio: Buffer.from(text) })
  return { pieces, events, control, deliver }
}

const failure = new Error('no such piece')
const lost = new ConnectionError('lost', { code: 'CONNECTION_LOST', retryable: true })

describe('joinPieces', () => {
  it('starts only the next piece when the current piece delivers its first chunk', () => {
    const { pieces, deliver } = joinManually(4)
    expect(pieces.length).toBe(1)
    deliver(0, 'aa')
    expect(pieces.length).toBe(2)
    deliver(0, 'bb')
    deliver(1, 'cc')
    expect(pieces.length).toBe(2)
  })

  it('starts no further piece while its sink is paused', () => {
    const { pieces, control, deliver, events } = joinManually(3)
    control.pause()
    deliver(0, 'aa')
    expect([pieces.length, events]).toEqual([1, []])
    control.resume()
    expect([pieces.length, events]).toEqual([2, ['aa']])
  })

  it('delivers early chunks in their turn, and reports each next piece before its chunks', () => {
    const onNextPiece = () => void joined.events.push('next')
    const joined = joinManually(3, { ahead: 2, onNextPiece })
    joined.deliver(0, 'aa')
    joined.deliver(2, 'dd')
    joined.deliver(1, 'cc')
    joined.pieces[2]!.sink.end()
    joined.pieces[1]!.sink.end()
    joined.deliver(0, 'bb')
    joined.pieces[0]!.sink.end()
    expect(joined.events).toEqual(['aa', 'bb', 'next', 'cc', 'next', 'dd', 'end'])
  })

  it('ends at once if there are no pieces', () => {
    expect(joinManually(0).events).toEqual(['end'])
  })

  it('pauses a piece at its limit and resumes it when there is room', () => {
    const { pieces, control, deliver } = joinManually(2)
    deliver(0, 'aa')
    deliver(1, 'b'.repeat(maxWaitingBytes - 1000))
    expect(pieces[1]).toMatchObject({ isPaused: false })
    deliver(1, 'b'.repeat(1000))
    expect(pieces[1]).toMatchObject({ isPaused: true })
    pieces[0]!.sink.end()
    expect(pieces[1]).toMatchObject({ isPaused: false })

    control.pause()
    deliver(1, 'b'.repeat(maxWaitingBytes))
    expect(pieces[1]).toMatchObject({ isPaused: true })
    control.resume()
    expect(pieces[1]).toMatchObject({ isPaused: false })
  })

  it('counts chunks without audio towards the limit', () => {
    const { pieces, deliver } = joinManually(2)
    deliver(0, 'aa')
    for (let count = 0; count < maxWaitingBytes / 256; count++) deliver(1, '')
    expect(pieces[1]).toMatchObject({ isPaused: true })
  })

  it('counts timestamps towards the limit', () => {
    const { pieces, deliver } = joinManually(2)
    deliver(0, 'aa')
    const words = Array(10_000).fill({ text: 'word', startSeconds: 0, endSeconds: 1 })
    pieces[1]!.sink.next({ audio: new Uint8Array(), timestamps: { words, characters: [] } })
    expect(pieces[1]).toMatchObject({ isPaused: true })
  })

  it('closes the pieces after one that fails at once, and delivers its error in its turn', () => {
    const { pieces, events, deliver } = joinManually(4, { ahead: 2 })
    deliver(0, 'aa')
    deliver(1, 'bb')
    pieces[1]!.sink.error(failure)
    expect(pieces.map(({ isClosed }) => isClosed)).toEqual([false, false, true])
    deliver(0, 'cc')
    pieces[0]!.sink.end()
    expect(events).toEqual(['aa', 'cc', 'bb', failure])
    expect(pieces.length).toBe(3)
    expect(pieces.every(({ isClosed }) => isClosed)).toBe(true)
  })

  it('begins a piece again in its turn that has lost its connection before', () => {
    const { pieces, events, deliver } = joinManually(2)
    deliver(0, 'aa')
    deliver(1, 'b'.repeat(maxWaitingBytes))
    pieces[1]!.sink.error(lost)
    deliver(0, 'cc')
    expect(pieces.length).toBe(2)
    pieces[0]!.sink.end()
    expect(pieces[2]).toMatchObject({ isPaused: false })
    deliver(2, 'bb')
    pieces[2]!.sink.end()
    expect(events).toEqual(['aa', 'cc', 'bb', 'end'])
  })

  it('delivers the error of a piece that has lost its connection in its turn', () => {
    const { pieces, events, deliver } = joinManually(2)
    deliver(0, 'aa')
    pieces[0]!.sink.end()
    pieces[1]!.sink.error(lost)
    expect(events).toEqual(['aa', lost])
  })

  it('delivers an error that a source throws when it is started in its turn', () => {
    const sinks: Sink<SpeechChunk>[] = []
    const good: Source<SpeechChunk> = (sink) => {
      sinks.push(sink)
      return { pause() {}, resume() {}, close() {} }
    }
    const bad: Source<SpeechChunk> = () => {
      throw failure
    }
    const events: unknown[] = []
    joinPieces([good, bad, good])({
      next: ({ audio }) => void events.push(Buffer.from(audio).toString()),
      end: () => void events.push('end'),
      error: (error) => void events.push(error),
    })
    sinks[0]!.next({ audio: Buffer.from('aa') })
    sinks[0]!.next({ audio: Buffer.from('bb') })
    sinks[0]!.end()
    expect(events).toEqual(['aa', 'bb', failure])
    expect(sinks.length).toBe(1)
  })

  it('closes every piece and reports the error when its sink throws', () => {
    const rejectSecond = (text: string) => {
      if (text === 'bb') throw failure
    }
    const { pieces, events, control, deliver } = joinManually(3, {}, rejectSecond)
    deliver(0, 'aa')
    control.pause()
    deliver(1, 'bb')
    pieces[0]!.sink.end()
    control.resume()
    expect(events).toEqual(['aa', failure])
    expect(pieces.every(({ isClosed }) => isClosed)).toBe(true)
  })

  it('closes every piece when it is closed', () => {
    const { pieces, events, control, deliver } = joinManually(3)
    deliver(0, 'aa')
    control.close()
    expect(pieces.map(({ isClosed }) => isClosed)).toEqual([true, true])
    control.resume()
    expect(events).toEqual(['aa'])
  })
})
