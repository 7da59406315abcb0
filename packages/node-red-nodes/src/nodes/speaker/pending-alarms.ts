import type { PendingAlarm } from '../../announcements/announcement.ts'
import type { AlarmControl } from '../../speakers/driver.ts'
import type { Speaker } from '../../speakers/speaker.ts'

type ShowsAlarms = Pick<Speaker, 'devices'> & { driver: Pick<Speaker['driver'], 'showAlarms'> }

/**
 * Shows the alarms that somebody must acknowledge, on the speakers that have a display. Several speakers may have the same one:
 * then they have the same device.
 */
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
    for (const speaker of speakers) this.showOn(speaker)
  }

  /** A speaker is new. Its page may still show the alarms of a speaker that was removed. */
  showOn({ driver, devices }: ShowsAlarms): void {
    driver.showAlarms?.(
      this.#alarms
        .filter((alarm) => alarm.devices.some((device) => devices.includes(device)))
        .map(({ devices: _devices, ...alarm }) => alarm),
      this.#control,
    )
  }
}
