import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { type ApiError, ParlandoError } from '../../errors.ts'
import { type Call, type CallOptions, createCall } from '../../http/client-options.ts'
import { parseResponse, readJson } from '../../http/read-json.ts'
import { statedProblem } from '../../http/stated-problem.ts'
import type { HttpRequest } from '../../http/transport.ts'
import { functionSchema, parseInput } from '../../parse-input.ts'
import { operationSchema, type SpeechOperation } from '../../wire/operation.ts'
import type { EndpointContext } from '../response-source.ts'

/** How far a job is. */
export interface SpeechJobProgress {
  isDone: boolean
  /** `QUEUED`, `RUNNING`, `PAUSED`, `SUCCEEDED` or `FAILED`. `undefined` at services that do not report it, as the numbers. */
  state: string | undefined
  /** Of all texts. */
  characters: number | undefined
  spokenCharacters: number | undefined
}

/** Options of a wait for the end of a job. The limits are those of each question; only `signal` ends the wait. */
export interface SpeechJobWait extends CallOptions {
  /** Called each time the service has reported its progress. Default: none. */
  onProgress?(progress: SpeechJobProgress): void
}

/**
 * The work of a service on a long text (`Finished` is `FinishedSpeech`) or on a batch (`FinishedBatch`). It goes on while nobody
 * waits: keep its `name`, and another process can wait for it.
 */
export interface SynthesisJob<Finished> {
  /** Such as `ttsAsyncJobs/a1/operations/a1`. */
  readonly name: string
  /** Asks once. @throws {ApiError} with the error of the text, if the text could not be spoken. */
  progress(options?: CallOptions): Promise<SpeechJobProgress>
  /**
   * Asks again and again until the job is done: every quarter of a second first, every ten seconds later. A service that is away
   * for less than ten minutes does not end the wait.
   * @throws {ApiError} with the error of the text, if the text could not be spoken.
   */
  finished(options?: SpeechJobWait): Promise<Finished>
  /** Interrupts the job. Only the local service can. @throws {ApiError} `NOT_FOUND` or `UNIMPLEMENTED` from others. */
  pause(options?: CallOptions): Promise<void>
  /** Goes on with a job that was interrupted. */
  resume(options?: CallOptions): Promise<void>
  /** Ends the job and deletes its files. @throws {ApiError} `NOT_FOUND` if the job has expired. */
  remove(options?: CallOptions): Promise<void>
}

const kind = 'Long speech'
const nameSchema = z
  .string()
  .regex(/^[\w.-]+(\/[\w.-]+)*$/, 'must be the name of an operation')
  .refine((name) => !name.split('/').includes('..'), 'must be the name of an operation')

/** A question after each tenth of the time that has passed: a job is noticed soon, and a long one costs few questions. */
const pollShare = 0.1
const minPollMs = 250
const maxPollMs = 10_000
/** How long the service may be away before the wait ends. */
const maxAwayMs = 10 * 60_000

/** What the service reports of a job. */
export interface OperationState extends Pick<SpeechOperation, 'response' | 'done' | 'metadata'> {
  requestId: string
  /** Why the text could not be spoken. */
  failure: ApiError | undefined
}

/** @returns a function that makes the options of a call to the service about a job. */
export function callOf({
  options: clientOptions,
}: EndpointContext): (options?: CallOptions) => Call {
  return (options = {}) => createCall(clientOptions, options, kind)
}

/** @param toFinished requests what the job has made. @throws {InputError} if the name is not one of an operation. */
export function createJob<Finished>(
  context: EndpointContext,
  name: string,
  toFinished: (state: OperationState, call: Call) => Promise<Finished>,
): SynthesisJob<Finished> {
  const path = `/lro/v1alpha/${parseInput(nameSchema, name, 'Name of the job')}`
  const toCall = callOf(context)
  const send = async (request: HttpRequest, options?: CallOptions): Promise<void> => {
    await context.transport.sendForJson(z.unknown(), request, toCall(options))
  }
  return {
    name,
    async progress(options) {
      const state = await readState(context, path, toCall(options))
      if (state.failure) throw state.failure
      return toProgress(state)
    },
    async finished({ onProgress, ...options } = {}) {
      const notify = parseInput(
        functionSchema<SpeechJobProgress>().optional(),
        onProgress,
        'onProgress',
      )
      const state = await untilDone(context, path, () => toCall(options), notify)
      return toFinished(state, toCall(options))
    },
    pause: (options) => send({ method: 'POST', path: `${path}:pause` }, options),
    resume: (options) => send({ method: 'POST', path: `${path}:resume` }, options),
    remove: (options) => send({ method: 'DELETE', path }, options),
  }
}

async function untilDone(
  context: EndpointContext,
  path: string,
  newCall: () => Call,
  onProgress: ((progress: SpeechJobProgress) => void) | undefined,
): Promise<OperationState> {
  const { signal } = newCall()
  let awaySinceMs: number | undefined
  const startedAtMs = performance.now()
  for (;;) {
    try {
      const state = await readState(context, path, newCall())
      awaySinceMs = undefined
      onProgress?.(toProgress(state))
      if (state.failure) throw state.failure
      if (state.done) return state
    } catch (error) {
      const now = performance.now()
      awaySinceMs ??= now
      const mayPass = ParlandoError.isInstance(error) && error.retryable
      if (!mayPass || now - awaySinceMs > maxAwayMs) throw error
    }
    const dueMs = (performance.now() - startedAtMs) * pollShare
    const delayMs = Math.min(Math.max(dueMs, minPollMs), maxPollMs)
    await wait(delayMs, undefined, { signal }).catch(() => signal?.throwIfAborted())
  }
}

/** Unlike any other response, that of a job that has failed has an `error`, and is nevertheless what was asked for. */
async function readState(
  { transport, options }: EndpointContext,
  path: string,
  call: Call,
): Promise<OperationState> {
  return transport.send({ method: 'GET', path }, call, async (response) => {
    const json = await readJson(response, options.maxResponseBytes)
    const { error, ...operation } = (json ?? {}) as { error?: unknown }
    const { data, requestId } = parseResponse(operationSchema, response, operation)
    const failure = error ? asFinal(response.errorOf(statedProblem(error))) : undefined
    return { ...data, requestId, failure }
  })
}

/** The service has tried again by itself. */
function asFinal(error: ApiError): ApiError {
  return Object.defineProperty(error, 'retryable', { value: false, enumerable: true })
}

function toProgress({ done, failure, metadata }: OperationState): SpeechJobProgress {
  return {
    isDone: done === true || failure !== undefined,
    state: metadata?.state ?? undefined,
    characters: metadata?.characters ?? undefined,
    spokenCharacters: metadata?.spokenCharacters ?? undefined,
  }
}

export function toDate(time: string | null | undefined): Date | undefined {
  const date = new Date(time ?? Number.NaN)
  return Number.isNaN(date.getTime()) ? undefined : date
}
