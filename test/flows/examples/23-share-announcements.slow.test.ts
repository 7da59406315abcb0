import { nodeNamed, readExample } from '@parlando/test-support/node-red/example'
import { describe, expect, it } from 'vitest'

interface JobResponse {
  id: string
  round: number
  worker: string
  status: string
}
interface Message {
  topic?: string
  jobId?: string
  // biome-ignore lint/suspicious/noExplicitAny: a text, a job or a response
  payload?: any
  job?: object
  announcement?: object
  status?: object
}

let ids = 0
const RED = { util: { generateId: () => `id ${++ids}` } }

/** Runs the code of a function node. @returns a function that takes a message and returns what the outputs send. */
function functionNode(file: string, name: string): (message: Message) => Message[][] {
  const { func, initialize } = nodeNamed(readExample(file), name)
  const stored = new Map<string, unknown>()
  const context = {
    get: (key: string) => stored.get(key),
    set: (key: string, value: unknown) => void stored.set(key, value),
  }
  const run = (code: string, msg: Message, node: object) =>
    new Function('msg', 'node', 'context', 'RED', code)(msg, node, context, RED)
  run(initialize, {}, {})
  return (message) => {
    const outputs: Message[][] = [[], []]
    const send = (messages: (Message | null)[] | null) =>
      messages?.forEach((sent, output) => void (sent && outputs[output]!.push(sent)))
    send(run(func, message, { send }))
    return outputs
  }
}

const responseOf = (payload: Partial<JobResponse>) => ({
  topic: 'parlando/jobs/responses',
  payload,
})

describe('the sender', () => {
  const start = () => {
    const sender = functionNode('23 - Share announcements.json', 'send, and repeat')
    const [[sent]] = sender({ payload: 'Dinner' }) as [[Message]]
    return { sender, sent, job: sent.payload }
  }

  it('repeats what nobody took, with the same id and in the same round', () => {
    const { sender, sent, job } = start()
    expect(job).toEqual({ id: sent.jobId, round: 1, text: 'Dinner' })
    for (let time = 0; time < 3; time++) expect(sender(sent)).toEqual([[sent], []])
  })

  it('passes on a final response once, and then repeats nothing', () => {
    const { sender, sent, job } = start()
    const said = responseOf({ id: job.id, round: 1, status: 'said' })
    expect(sender(said)).toEqual([[], [said]])
    expect(sender(said)).toEqual([[], []])
    expect(sender(sent)).toEqual([[], []])
  })

  it('asks once for the end of what was taken, and then gives it to another worker', () => {
    const { sender, sent, job } = start()
    sender(responseOf({ id: job.id, round: 1, status: 'taken' }))
    const rounds = [1, 2, 3].map(() => sender(sent)[0]![0]!.payload.round)
    expect(rounds).toEqual([1, 2, 2])
  })

  it('ignores the responses to other senders', () => {
    const { sender } = start()
    expect(sender(responseOf({ id: 'of another', round: 1, status: 'said' }))).toEqual([[], []])
  })
})

describe('workers', () => {
  const startWorker = () => functionNode('24 - Say shared announcements.json', 'take turns')
  const jobOf = (id: string, round = 1) => ({
    topic: 'parlando/jobs',
    payload: { id, round, text: `text ${id}` },
  })
  const said = { announcement: { status: 'said' } }

  it('that have the same job say it once, in any order of their responses', () => {
    const [first, second] = [startWorker(), startWorker()]
    const claims = [first, second].map((worker) => worker(jobOf('a'))[0]![0]!)
    // The broker sends both responses to both, in one order.
    const spoken = [second, first].map((worker) =>
      claims.flatMap(({ payload }) => worker(responseOf(payload))[1]!),
    )
    expect(spoken.map((texts) => texts.map(({ payload }) => payload))).toEqual([[], ['text a']])
  })

  it('take a job only when the one before is said', () => {
    const worker = startWorker()
    const [[claim]] = worker(jobOf('a')) as [[Message]]
    expect(worker(jobOf('b'))).toEqual([[], []])
    const [, [spoken]] = worker(responseOf(claim.payload)) as [Message[], [Message]]
    const [responses] = worker({ ...spoken, ...said })
    expect(responses).toMatchObject([
      { payload: { id: 'a', status: 'said' } },
      { payload: { id: 'b', status: 'taken' } },
    ])
  })

  it('respond to a repetition with what became of the job, and say a later round', () => {
    const worker = startWorker()
    const response = { id: 'a', round: 1, worker: 'another', status: 'said' }
    worker(responseOf({ ...response, status: 'taken' }))
    worker(responseOf(response))
    expect(worker(jobOf('a'))).toEqual([[{ payload: response }], []])
    expect(worker(jobOf('a', 2))[0]).toMatchObject([{ payload: { round: 2, status: 'taken' } }])
  })

  it('forget what waits when the connection changes, and what they took but have not begun', () => {
    const worker = startWorker()
    const [[claim]] = worker(jobOf('a')) as [[Message]]
    worker(jobOf('b'))
    expect(worker({ status: { text: 'disconnected' } })).toEqual([[], []])
    expect(worker(responseOf(claim.payload))).toEqual([[], []])
  })
})
