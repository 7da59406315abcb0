import type { Client } from '@parlando/core'
import type { Node, NodeAPI, NodeMessageInFlow } from 'node-red'
import { type Failure, NodeInputError, toFailure } from './failure.ts'
import { type BusyMode, createRunner } from './runner.ts'
import { currentChoice } from './saved-choice.ts'
import type { Part } from './sequences.ts'
import type { ServiceNode } from './service-node.ts'
import { createStatus, type WorkStatus } from './status.ts'
import { sharedText } from './texts.ts'

export interface Work<Message> {
  /** What happens with a message that comes while another one is at work. */
  busy: BusyMode
  /** The id of the config node. */
  service: string
  /** Does what one message asks for. Whatever it throws goes to Catch; what it sends after an abort is dropped. */
  run(message: Message, tools: WorkTools<Message>): Promise<void>
  /** @returns true when the message is an order to the node itself, such as `msg.reset`, and has been carried out. */
  isOrder?(message: Message): boolean
}

export interface WorkTools<Message> {
  service: ServiceNode
  client: Client
  /** Aborted by `msg.stop`, by a message that replaces this one, and when the node is closed. */
  signal: AbortSignal
  status: WorkStatus
  /** One message, or one per output. */
  send(message: Message | (Message | null)[]): void
}

/**
 * Makes a node do what its messages ask for: `done` exactly once for each, failures to Catch, `msg.stop`, the status,
 * and a close that waits for what was aborted.
 */
export function handleMessages<Message extends NodeMessageInFlow>(
  RED: NodeAPI,
  node: Node,
  work: Work<Message>,
): void {
  const runner = createRunner(currentChoice(work.busy))
  const status = createStatus(RED, node, runner)
  const findService = (): ServiceNode | undefined => {
    const named = RED.nodes.getNode(work.service) as ServiceNode | null
    // A flow that was written by hand may name any node.
    return typeof named?.connect === 'function' ? named : undefined
  }
  // Asked for by those that run, since each use of a subflow may choose another service.
  findService()?.startAhead()

  const run = async (message: Message, send: WorkTools<Message>['send'], signal: AbortSignal) => {
    status.started()
    const service = findService()
    if (!service) throw new NodeInputError(sharedText(RED, 'error.no-service'))
    const client = await service.connect(signal)
    signal.throwIfAborted()
    await work.run(message, { service, client, signal, status, send })
  }

  const take = (
    input: Message,
    send: WorkTools<Message>['send'],
    end: (failure?: Failure) => void,
  ) => {
    const isStop = (input as { stop?: unknown }).stop === true
    if (isStop) runner.stop()
    const isOrder = work.isOrder?.(input)
    if (isStop || isOrder) {
      end()
      return
    }
    const isTaken = runner.submit({
      part: partOf(input),
      async run(signal) {
        const failure = await run(input, (out) => signal.aborted || send(out), signal).then(
          () => undefined,
          toFailure,
        )
        if (failure && !signal.aborted) status.failed(failure.code)
        else status.finished(signal.aborted)
        end(signal.aborted ? undefined : failure)
      },
      drop: end,
    })
    if (runner.waiting > 0) status.waits()
    if (!isTaken) end(toFailure(new NodeInputError(sharedText(RED, 'error.too-many-waiting'))))
  }

  node.on('input', (message, send, done) => {
    const end = (failure?: Failure) => {
      try {
        done(failure)
      } catch (error) {
        // For Complete and Catch the message is cloned, and one with a property that cannot be read throws here.
        node.error(toFailure(error))
      }
    }
    try {
      // A frozen message cannot be changed, but a copy of it can.
      const input = Object.isExtensible(message) ? message : { ...message }
      take(input as Message, send as WorkTools<Message>['send'], end)
    } catch (error) {
      end(toFailure(error))
    }
  })

  node.on('close', async (done: () => void) => {
    await runner.close()
    node.status({})
    done()
  })
}

/** What is in the parts of a message may be anything. */
function partOf({ parts }: NodeMessageInFlow): Part | undefined {
  if (typeof parts?.id !== 'string') return undefined
  const { id, index, count } = parts
  return {
    sequenceId: id,
    isFirst: index === 0,
    isLast: count !== undefined && index === count - 1,
  }
}
