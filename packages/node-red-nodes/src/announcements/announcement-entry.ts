import { playOnSpeakers } from '../playback/play-on-speakers.ts'
import type { Texts } from '../runtime/texts.ts'
import type { SpokenCommand } from '../speakers/display.ts'
import type { Speaker } from '../speakers/speaker.ts'
import type { Announcement, AnnouncementReport, AnnounceOptions, Priority } from './announcement.ts'
import { AnnouncementPlaces } from './announcement-places.ts'
import type { QueueEntry } from './announcement-queue.ts'
import { openCommandMicrophone } from './command-microphone.ts'
import {
  advance,
  type EntryAction,
  type EntryEvent,
  type EntryLife,
  firstLife,
  isLast,
} from './entry-states.ts'
import { EntryTimes } from './entry-times.ts'
import type { NotSaidReason } from './playback-report.ts'
import { WhatWasSaid } from './what-was-said.ts'

/** An announcement until it is over: it waits, plays, and may rest before it is repeated. */
export class AnnouncementEntry implements QueueEntry {
  readonly announcement: Announcement
  readonly priority: Priority
  readonly isPart: boolean
  readonly isMusic: boolean
  /** Resolves when it is over; rejects if it could not be said. */
  readonly report: Promise<AnnouncementReport>
  order: number
  readonly #options: AnnounceOptions
  readonly #nextOrder: () => number
  #settle!: { resolve(report: AnnouncementReport): void; reject(error: unknown): void }
  readonly #places: AnnouncementPlaces
  #playback = new AbortController()
  #life: EntryLife
  readonly #times: EntryTimes
  readonly #said: WhatWasSaid

  /** @param nextOrder gives it a place in the queue behind all others. */
  constructor(announcement: Announcement, options: AnnounceOptions, nextOrder: () => number) {
    this.announcement = announcement
    this.priority = announcement.priority
    this.isMusic = announcement.isMusic ?? false
    this.isPart = announcement.sequenceId !== undefined
    this.#places = new AnnouncementPlaces(announcement)
    this.order = nextOrder()
    this.#said = new WhatWasSaid(announcement)
    this.#times = new EntryTimes(announcement, this.#said.arrivedAt)
    this.#life = firstLife(announcement.againAt)
    this.#options = options
    this.#nextOrder = nextOrder
    this.report = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject }
    })
  }

  get speakers(): readonly Speaker[] {
    return this.#places.speakers
  }

  get devices(): readonly string[] {
    return this.#places.devices
  }

  get overMusic(): readonly string[] {
    return this.#places.overMusic
  }

  get expiresAt(): number {
    return this.#times.expiresAt
  }

  get notBefore(): number {
    return this.#times.notBefore
  }

  get isOver(): boolean {
    return this.#life.state.name === 'over'
  }

  get startedAt(): number | undefined {
    const { state } = this.#life
    return 'startedAt' in state ? state.startedAt : undefined
  }

  get isPlaying(): boolean {
    return this.startedAt !== undefined
  }

  get isEnding(): boolean {
    return this.#life.state.name === 'ending'
  }

  get hasPlayed(): boolean {
    return this.#life.hasPlayed
  }

  /** If somebody has postponed it: when it is said again, in ms since 1970. */
  get againAt(): number | undefined {
    const { state } = this.#life
    return 'againAt' in state ? state.againAt : undefined
  }

  get isSaid(): boolean {
    return this.#said.isSaid
  }

  /** Whether it is repeated until somebody acknowledges it, or was postponed. */
  get isPendingAlarm(): boolean {
    const isRepeated = this.announcement.repeat?.untilAcknowledged === true && !isLast(this.#life)
    return isRepeated || this.againAt !== undefined
  }

  /** Whether it plays or repeats. A part of a sequence would hold up the others. */
  get canBePostponed(): boolean {
    const isSaidAgain = this.isPlaying || this.announcement.repeat !== undefined
    const isGoingOn = !this.isOver && !this.isEnding && !isLast(this.#life)
    return isSaidAgain && isGoingOn && !this.isMusic && !this.isPart
  }

  /** Finds out where it may be said now. It is over if quiet hours drop it. They do not concern it before its own time. */
  checkPlaces(now: number): void {
    if (this.isPlaying) return
    if (!this.#times.isDue(now)) return void this.#places.find()
    const wasHeld = this.#places.targets.length === 0
    const decision = this.#places.update(this.#said.substitutes)
    if (decision === 'dropped') this.handle({ type: 'drop', reason: 'quiet hours' })
    else if (decision === 'held') this.#times.hold(now)
    else if (decision === 'closed') this.#times.waitForSpeaker(now)
    else if (wasHeld) this.#times.release()
  }

  #show(state: Parameters<AnnounceOptions['onStateChange']>[0]): void {
    this.#options.onStateChange(state, this.#places.wanted(this.#said.substitutes))
  }

  /** Shows that it waits, unless it has begun or ended at once. */
  showWaiting(): void {
    if (this.isOver || this.isPlaying) return
    this.#show(this.againAt === undefined ? 'waiting' : 'postponed')
  }

  /**
   * Plays it once. It is over then, waits to be said again or by others, or rests.
   * @param onCommand is called when somebody says something to it, also after its end.
   */
  async play(RED: Texts, onCommand: (command: SpokenCommand) => void): Promise<void> {
    const startedAt = performance.now()
    this.handle({ type: 'start', now: startedAt })
    this.#said.begin(startedAt)
    this.#playback = new AbortController()
    const { announcement, speakers } = this
    const { signal } = this.#playback
    let isCut = false
    try {
      const { results, durationSeconds } = await playOnSpeakers(
        announcement,
        this.#places.targets,
        {
          RED,
          signal,
          onFirstSound: () => this.#noteSound(),
          onHeard(speaker, sound) {
            announcement.onHeard?.(speaker, sound)
            return openCommandMicrophone(speaker, announcement, sound, onCommand)
          },
        },
      )
      this.#said.noteResults(results, durationSeconds)
    } catch (error) {
      isCut = signal.aborted
      if (!isCut) this.#said.noteFailure(error)
    }
    const { failure, isSaid, isRepeated, substitutes } = this.#said
    const missing = failure && this.#places.find()
    const isReplaced = !missing && speakers.some((speaker) => speaker.isClosed)
    this.handle({
      type: 'end',
      isCut,
      isSpeakerReplaced: failure !== undefined && isReplaced,
      hasSubstitutes: substitutes.length > 0,
      isSaid,
      isRepeated,
      failure,
      missing,
    })
  }

  #noteSound(): void {
    this.#said.noteSound()
    this.handle({ type: 'heard' })
  }

  /** It is silent now, and said again later. @param againAt in ms since 1970. */
  postpone(againAt: number): void {
    this.#options.onPostponed?.(againAt)
    this.handle({ type: 'postpone', againAt })
  }

  /** Somebody wants to hear it again, although it is over. @param againAt in ms since 1970. */
  sayAfterEnd(againAt: number): void {
    this.#options.onAgain?.(againAt)
  }

  /** Changes its state, and does what follows. */
  handle(event: EntryEvent): void {
    const { priority, repeat, endsWhenCut = false } = this.announcement
    const untilAcknowledged = repeat?.untilAcknowledged ?? false
    const rule = { priority, untilAcknowledged, endsWhenCut }
    const { life, actions } = advance(this.#life, event, rule)
    this.#life = life
    for (const action of actions) this.#carryOut(action)
  }

  #carryOut(action: EntryAction): void {
    if (typeof action === 'string') this.#actions[action]()
    else if ('conclude' in action) this.#conclude(action.conclude)
    else if ('fail' in action) this.#settle.reject(action.fail)
    else this.#options.onFailure(action.reportFailure)
  }

  readonly #actions: Readonly<Record<Extract<EntryAction, string>, () => void>> = {
    abort: () => this.#playback.abort(new Error('The announcement was ended')),
    moveBack: () => {
      this.order = this.#nextOrder()
    },
    rest: () => {
      this.#said.end()
      this.#times.rest(this.#said.beganAt)
      this.#show('repeating')
    },
    postpone: () => {
      this.#said.end()
      this.#times.postpone(this.againAt!)
      this.#show('postponed')
    },
    beginAnew: () => this.#said.end(),
    showSaying: () => this.#show('saying'),
    showWaiting: () => this.#show('waiting'),
    concludeHeard: () => {
      const isUnheard = this.#life.hasFailed || this.#said.failure !== undefined
      if (!isUnheard) this.#said.noteHeard()
      this.#conclude(isUnheard ? 'failed' : undefined)
    },
  }

  #conclude(reason?: NotSaidReason): void {
    // It did not wait for its turn, but for the turn of those that say it instead.
    const { failure } = this.#said
    const { leftOut } = this.#places
    if (reason === 'expired' && failure) this.#settle.reject(failure.error)
    else this.#settle.resolve(this.#said.report(reason, this.#life.isAcknowledged, leftOut))
  }
}
