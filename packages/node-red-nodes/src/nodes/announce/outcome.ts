import {
  type AnnouncementReport,
  type Priority,
  priorities,
} from '../../announcements/announcement.ts'
import type { NotSaidReason } from '../../announcements/playback-report.ts'
import { describeFailure, type Failure } from '../../runtime/failure.ts'
import type { Send } from '../../runtime/input.ts'
import { readTopic } from '../../runtime/settings.ts'
import type { AnnounceMessage, AnnounceSettings } from './read-announcement.ts'

/**
 * Sends a message at the output that fits what became of its announcement.
 * @param warning sentences about a text that was not spoken as it is written.
 */
export function sendOutcome(
  send: Send<AnnounceMessage>,
  message: AnnounceMessage,
  report: AnnouncementReport,
  warning?: string,
): void {
  if (warning !== undefined && report.status === 'said') message.warning = warning
  // That of an earlier node is about another text.
  else delete message.warning
  // A sealed message fails before anything has changed.
  message.announcement = report
  send(report.status === 'said' ? [message, null] : [null, message])
}

/** The report of an announcement that has failed or ended before anything was known about it. */
export function reportOf(
  settings: AnnounceSettings,
  message: AnnounceMessage,
  reason: NotSaidReason,
  failure?: Failure,
): AnnouncementReport {
  const { _msgid: id } = message
  const topic = readTopic(message)
  const wanted = [message.priority, settings.priority] as Priority[]
  return {
    id,
    status: 'not said',
    reason,
    ...(failure && { error: describeFailure(failure) }),
    priority: wanted.find((priority) => priorities.includes(priority)) ?? 'normal',
    ...(topic !== undefined && { topic }),
    times: 0,
    speakers: [],
  }
}
