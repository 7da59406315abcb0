import { describe, expect, it } from 'vitest'
import { type BusyMode, Runner } from './runner.ts'

/** A runner with jobs that end on command or when aborted. */
function useRunner(mode: BusyMode) {
  const runner = new Runner(mode)
  const log: string[] = []
  const ends = new Map<string, () => void>()
  const submit = (
    name: string,
    sequenceId?: string,
    place: 'first' | 'between' | 'last' = 'between',
  ) =>
    runner.submit({
      part:
        sequenceId === undefined
          ? undefined
          : { sequenceId, isFirst: place === 'first', isLast: place === 'last' },
      drop: () => void log.push(`drop ${name}`),
      run(signal) {
        log.push(`run ${name}`)
        return new Promise((resolve) => {
          ends.set(name, resolve)
          signal.addEventListener('abort', () => {
            log.push(`abort ${name}`)
            resolve()
          })
        })
      },
    })
  const end = async (name: string) => {
    ends.get(name)?.()
    await new Promise(setImmediate)
  }
  return { runner, log, submit, end }
}

describe('a runner', () => {
  it('lets the next job wait', async () => {
    const { log, submit, end } = useRunner('wait')
    for (const name of ['a', 'b']) submit(name)
    expect(log).toEqual(['run a'])
    await end('a')
    expect(log).toEqual(['run a', 'run b'])
  })

  it('runs jobs in parallel, but those of one sequence in order', async () => {
    const { log, submit, end } = useRunner('parallel')
    submit('a1', 'a')
    submit('a2', 'a')
    submit('b1', 'b')
    submit('c')
    expect(log).toEqual(['run a1', 'run b1', 'run c'])
    await end('a1')
    expect(log).toEqual(['run a1', 'run b1', 'run c', 'run a2'])
  })

  it('replaces jobs of other sequences', async () => {
    const { log, submit, end } = useRunner('replace')
    submit('a1', 'a')
    submit('a2', 'a')
    expect(log).toEqual(['run a1'])
    await end('a1')
    submit('b1', 'b')
    expect(log).toEqual(['run a1', 'run a2', 'abort a2'])
    await end('a2')
    expect(log.at(-1)).toBe('run b1')
  })

  it('drops late parts of a stopped sequence', async () => {
    const { runner, log, submit, end } = useRunner('wait')
    submit('a1', 'a')
    submit('a2', 'a')
    runner.stop()
    await end('a1')
    submit('a3', 'a')
    submit('b1', 'b')
    expect(log).toEqual(['run a1', 'drop a2', 'abort a1', 'drop a3', 'run b1'])
  })

  it('drops later parts of a sequence that was stopped between two parts', async () => {
    const { runner, log, submit, end } = useRunner('wait')
    submit('a1', 'a')
    await end('a1')
    runner.stop()
    submit('a2', 'a')
    expect(log).toEqual(['run a1', 'drop a2'])
  })

  it('also replaces a sequence between two of its parts', async () => {
    const { log, submit, end } = useRunner('replace')
    submit('a1', 'a')
    await end('a1')
    submit('a2', 'a')
    await end('a2')
    submit('b')
    submit('a3', 'a')
    expect(log).toEqual(['run a1', 'run a2', 'run b', 'drop a3'])
  })

  it('accepts a sequence with the same id after the previous one was complete', async () => {
    const { runner, log, submit, end } = useRunner('wait')
    submit('a1', 'a')
    submit('a2', 'a', 'last')
    await end('a1')
    await end('a2')
    runner.stop()
    submit('again', 'a')
    expect(log).toEqual(['run a1', 'run a2', 'run again'])
  })

  it.each([
    ['its last part has come', 'last', 'between'],
    ['it begins anew', 'between', 'first'],
  ] as const)('takes a sequence that was stopped once %s', async (_when, late, next) => {
    const { runner, log, submit, end } = useRunner('wait')
    submit('a1', 'a', 'first')
    await end('a1')
    runner.stop()
    submit('late', 'a', late)
    submit('again', 'a', next)
    await end('again')
    submit('and on', 'a')
    expect(log).toEqual(['run a1', 'drop late', 'run again', 'run and on'])
  })

  it('rejects jobs when a thousand are waiting', () => {
    const { runner, submit } = useRunner('wait')
    for (let count = 0; count <= 1000; count++) expect(submit(`${count}`)).toBe(true)
    expect(submit('one more')).toBe(false)
    expect(runner.waiting).toBe(1000)
  })

  it('closes after all running jobs have ended', async () => {
    const runner = new Runner('parallel')
    const log: string[] = []
    const run = async (signal: AbortSignal) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      await new Promise(setImmediate)
      log.push('has ended')
    }
    for (let count = 0; count < 2; count++) runner.submit({ run, drop: () => {} })
    await runner.close()
    expect(log).toEqual(['has ended', 'has ended'])
  })

  it('runs no job that arrives while it closes', async () => {
    const { runner, log, submit } = useRunner('wait')
    submit('a')
    const closed = runner.close()
    submit('b')
    await closed
    submit('c')
    expect(log).toEqual(['run a', 'abort a', 'drop b', 'drop c'])
  })

  it('lets any number of parts of a sequence that has begun wait, up to 64 MiB', async () => {
    const run: number[] = []
    const dropped: number[] = []
    const runner = new Runner('wait')
    let finishFirst = () => {}
    const submit = (index: number, bytes: number) =>
      runner.submit({
        part: { sequenceId: 'answer', isFirst: index === 0, isLast: false },
        bytes,
        drop: () => void dropped.push(index),
        async run() {
          run.push(index)
          if (index === 0) await new Promise<void>((resolve) => (finishFirst = resolve))
        },
      })
    for (let index = 0; index < 3000; index++) expect(submit(index, 100)).toBe(true)
    const other = { bytes: 100, drop() {}, run: async () => {} }
    expect(runner.submit(other)).toBe(false)
    expect(submit(3000, 64 * 1024 * 1024)).toBe(false)
    // Only the end of the sequence is missing, not its middle.
    expect(submit(3001, 100)).toBe(true)
    expect(dropped).toEqual([3001])
    finishFirst()
    await new Promise(setImmediate)
    while (runner.running > 0) await new Promise(setImmediate)
    expect(run).toEqual(Array.from({ length: 3000 }, (_, index) => index))
  })
})
