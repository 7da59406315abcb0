import type { Client } from '@parlando/core'
import type { Node, NodeAPI, NodeMessageInFlow } from 'node-red'
import { type Failure, NodeInputError, toFailure } from './failure.ts'
import { findService, leaveThisDevice, requireService } from './find-service.ts'
import { type Closing, handleClose, handleInput, type Send } from './input.ts'
import { type BusyMode, Runner } from './runner.ts'
import { currentChoice } from './saved-settings.ts'
import { partOf } from './sequences.ts'
import type { SpeechService } from './speech-service.ts'
import { WorkStatus } from './status.ts'
import { sharedText } from './texts.ts'

export interface Work<Message> {
  /** What happens to a message that arrives while another one is being processed. */
  busy: BusyMode
  /** The id of the configuration node; empty: this device. */
  service: string
  /** Processes one message. Errors go to Catch; messages sent after an abort are dropped. */
  run(message: Message, context: WorkContext<Message>): Promise<void>
  /**
   * Takes a message that needs no work of its own, such as `msg.reset` or a further chunk of audio. Called for every
   * message before it waits for its turn. @returns whether it was such a message.
   */
  takeAtOnce?(message: Message): boolean
  /** Called once for each other message, when its work has ended or will never begin. */
  ended?(message: Message): void
  /** Called when the node is closed, once no message is being processed any more. Node-RED waits for it. */
  closed?(closing: Closing): Promise<void>
}

export interface WorkContext<Message> {
  service: SpeechService
  /** Aborted by `msg.stop`, by a message that replaces this one, and when the node is closed. */
  signal: AbortSignal
  status: WorkStatus
  /** One message, or one per output. */
  send: Send<Message>
}

/** What work gets that needs its service from the start. */
export interface ConnectedContext<Message> extends WorkContext<Message> {
  client: Client
}

/** Connects to the service before the work begins, and keeps the connection until it ends. */
export function withClient<Message>(
  run: (message: Message, context: ConnectedContext<Message>) => Promise<void>,
): Work<Message>['run'] {
  return (message, context) =>
    context.service.use(context.signal, (client) => run(message, { ...context, client }))
}

/**
 * Processes the messages of a node: calls `done` exactly once for each, passes failures to Catch, handles `msg.stop` and
 * shows the status. On close it aborts all work and waits for its end.
 */
export function handleMessages<Message extends NodeMessageInFlow>(
  RED: NodeAPI,
  node: Node,
  work: Work<Message>,
): void {
  const runner = new Runner(currentChoice(work.busy))
  const status = new WorkStatus(RED, node, runner)
  findService(RED, node, work.service)?.startAhead()

  const run = async (message: Message, send: Send<Message>, signal: AbortSignal) => {
    status.started(partOf(message)?.sequenceId)
    const service = requireService(RED, node, work.service)
    await work.run(message, { service, signal, status, send })
  }

  const take = (input: Message, send: Send<Message>, end: (failure?: Failure) => void) => {
    const isStop = (input as { stop?: unknown }).stop === true
    if (isStop) runner.stop()
    const isTakenAtOnce = work.takeAtOnce?.(input)
    if (isStop || isTakenAtOnce) return end()
    const finish = (failure?: Failure) => {
      work.ended?.(input)
      end(failure)
    }
    const isTaken = runner.submit({
      part: partOf(input),
      bytes: bytesOf(input.payload),
      async run(signal) {
        const failure = await run(input, (out) => signal.aborted || send(out), signal).then(
          () => undefined,
          (error: unknown) => {
            if (!signal.aborted) status.failed(error)
            return toFailure(error)
          },
        )
        if (!failure || signal.aborted) status.finished(signal.aborted)
        finish(signal.aborted ? undefined : failure)
      },
      drop: finish,
    })
    if (runner.waiting > 0) status.waits()
    if (!isTaken) finish(toFailure(new NodeInputError(sharedText(RED, 'error.too-many-waiting'))))
  }

  handleInput(node, take)

  handleClose(RED, node, async (closing) => {
    // Before the first wait: Node-RED forgets the status of a removed node, and then no longer passes on that it is empty.
    node.status({})
    await runner.close()
    await work.closed?.(closing)
    await leaveThisDevice(node)
    node.status({})
  })
}

/** How much memory a text or a Buffer takes. */
function bytesOf(payload: unknown): number {
  if (typeof payload === 'string') return 2 * payload.length
  return Buffer.isBuffer(payload) ? payload.length : 0
}
