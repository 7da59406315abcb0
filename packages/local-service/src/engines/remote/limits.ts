/** What a phrase of a server may take, for all engines that speak through one. */

/** The rate at which remote engines speak. The audio of servers with another rate is resampled. */
export const remoteRateHertz = 24_000

/** How many phrases a server gets at a time. */
export const maxConcurrentRequests = 4

/**
 * The maximum duration of a phrase: audio is queued in memory for its listener. Normal speech takes a tenth of this, but a
 * number is many words, and the server may start with a pause.
 */
export const maxSecondsOf = (text: string) => 10 + text.length

/** The maximum time for a phrase, in milliseconds. */
export const timeLimitMsOf = (text: string) => 60_000 + 1000 * maxSecondsOf(text)
