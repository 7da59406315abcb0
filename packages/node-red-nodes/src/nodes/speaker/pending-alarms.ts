import type { PendingAlarm } from '../../announcements/announcement.ts'
import type { AlarmControl } from '../../speakers/driver.ts'
import type { Speaker } from '../../speakers/speaker.ts'

type ShowsAlarms = Pick<Speaker, 'id'> & { driver: Pick<Speaker['driver'], 'showAlarms'> }

/** Shows the alarms that somebody must acknowledge, on the speakers that have a display. */
export class PendingAlarms {
  #alarms: readonly PendingAlarm[] = []
  readonly #control: AlarmControl

  /** @param control is called when somebody presses a button of one. */
  constructor(control: AlarmControl) {
    this.#control = control
  }

  /** They have changed. */
  show(alarms: readonly PendingAlarm[], speakers: Iterable<ShowsAlarms>): void {
    this.#alarms = alarms
    for (const speaker of speakers) this.#showOn(speaker, this.#alarmsOf(speaker))
  }

  /** The speaker is new. A page may be that of another speaker, too, whose alarms it shows. */
  showOnNew(speaker: ShowsAlarms): void {
    const own = this.#alarmsOf(speaker)
    if (own.length > 0) this.#showOn(speaker, own)
  }

  #alarmsOf({ id }: ShowsAlarms): PendingAlarm[] {
    return this.#alarms.filter(({ speakerIds }) => speakerIds.includes(id))
  }

  #showOn({ driver }: ShowsAlarms, alarms: readonly PendingAlarm[]): void {
    driver.showAlarms?.(
      alarms.map(({ speakerIds: _ids, ...alarm }) => alarm),
      this.#control,
    )
  }
}
