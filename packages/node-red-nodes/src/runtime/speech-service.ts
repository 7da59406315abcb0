import type { CallOptions, Client, SpeechChunk, SpeechRequest, SpeechStream } from '@parlando/core'
import type { Node } from 'node-red'
import type { ServiceReport, Spendable } from './service-report.ts'

/** The settings that apply where a node leaves its own empty. */
export interface ServiceDefaults {
  modelId: string
  audioEncoding: string
}

export type ServiceCall = CallOptions & { signal: AbortSignal }

/** How a text is spoken, besides what its request says. The client knows nothing of it. */
export interface SpeakingOptions {
  /** Whether the sound may be one that was made before, and is kept. Default: yes, as far as the service keeps sound. */
  keep?: boolean
  /** Whether it is for an announcement, which may repeat. */
  isAnnouncement?: boolean
  /** An alarm is spoken even if the budget of the service is spent. */
  isAlarm?: boolean
  /** Whether its maker counts for the budget what it spends. Default: `speak` does. */
  isCounted?: boolean
  /** The id of the text of which this is a sentence. All its sentences are one text of the studio. */
  textId?: string | undefined
  /** Makes the speech. Default: requests it. */
  make?(client: Client, call: ServiceCall): Speech
}

/** Speech while it arrives. It can be read once. */
export interface Speech
  extends AsyncIterable<SpeechChunk>,
    Pick<
      SpeechStream,
      'encoding' | 'mediaType' | 'sampleRateHertz' | 'usage' | 'warnings' | 'firstAudioMs'
    > {
  /** Whether it was made before, for another message. */
  readonly isKept?: boolean
}

/** What the next requests for speech need of the budget. The seconds of their audio are not known yet. */
export type BudgetNeeds = Record<Exclude<Spendable, 'seconds'>, number>

/** Requests for speech in progress, for which budget is reserved. */
export interface Spending {
  /** Counts what is spent, which is then not reserved any more. Also after the end. */
  count(spent: Partial<Record<Spendable, number>>): void
  /** Called at their end: nothing is reserved any more. */
  end(): void
}

/** A speech service for the nodes that use it. */
export interface SpeechService {
  defaults: ServiceDefaults
  isOnDevice: boolean
  /**
   * The one client of this service. Starts the service on this device if it is not running.
   * @param signal Ends the wait, not the start.
   */
  connect(signal: AbortSignal): Promise<Client>
  /**
   * Runs work with the client. A service on this device that stops when it is unused keeps running meanwhile.
   * @param signal Ends the wait for the client. The work must end by itself.
   * @param work Receives the client, and a signal that is aborted when the process of a service on this device exits unexpectedly: its
   * client reaches nothing any more.
   */
  use(
    signal: AbortSignal,
    work: (client: Client, lost: AbortSignal) => Promise<void>,
  ): Promise<void>
  /** Lets this request end, for a few seconds, before the service is closed. */
  letEnd(request: Promise<unknown>): void
  /**
   * Speaks a text: with the sound of an earlier message, together with others that want the same at the moment, or with a
   * request. Resolves when the sound was found or the service is connected. The connection stays open until the speech was read.
   */
  speak(request: SpeechRequest, call: ServiceCall, options?: SpeakingOptions): Promise<Speech>
  /** @returns a text that the voices of this device say as the list of words of the service says. */
  respell(text: string): string
  /**
   * Reserves budget for requests that their maker counts.
   * @param mayExceed Whether more may be spent than the budget has.
   * @returns nothing if the service has no budget.
   * @throws {BudgetError} if the budget does not suffice.
   */
  reserveBudget(needs: BudgetNeeds, mayExceed: boolean): Spending | undefined
  /** The share of its budget that is spent, from 0 to 1. */
  budgetShare(): number
  /** Starts the service on this device together with the flow, so that the first message need not wait for it. */
  startAhead(): void
  /**
   * The voice of the service; if it has none, the first voice that it lists for the language. Default: the language of Node-RED.
   * If no voice speaks it, the first voice of all.
   */
  defaultVoiceId(call: ServiceCall & { language?: unknown }): Promise<string>
  /**
   * The language of a voice, which is requested once, unless the sound is kept, for which nobody asks the service.
   * @returns nothing if the service does not say it.
   */
  languageOf(
    voiceId: string,
    call: ServiceCall & { isKept?: boolean | undefined },
  ): Promise<string | undefined>
  /** Called with the error of a failed request: it can show that the cached default voice no longer exists. */
  noteFailure(error: unknown): void
}

export type ServiceNode = Node<{ apiKey?: string; redisPassword?: string }> & OpenService

/** A service that somebody has opened, and closes. */
export interface OpenService extends SpeechService {
  /** What the form of the service shows and clears. */
  speech: { report(): Promise<ServiceReport>; clear(): Promise<void> }
  close(): Promise<void>
}

/** Receives problems that no message caused. */
export type ProblemReport = Pick<Node, 'warn' | 'error'>
