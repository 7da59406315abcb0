/** The responses of a registry mirror that serves only packages. */
const unsupportedStatuses = [404, 405, 501]

/**
 * Sums up a report of `npm audit --json`.
 * @param {{ statusCode?: number, vulnerabilities?: Record<string, { name: string, severity: string }> }} report
 *   The output of npm, or an empty object if that was not JSON.
 * @param {string} errorOutput The error output of npm.
 * @returns {{ exitCode: number, message: string }}
 */
export function summariseAudit(report, errorOutput) {
  if (unsupportedStatuses.includes(report.statusCode)) {
    return pass('Not checked for known vulnerabilities: this registry has no list of them.')
  }
  if (!report.vulnerabilities)
    return fail(`Cannot check for known vulnerabilities:\n${errorOutput}`)
  const vulnerable = Object.values(report.vulnerabilities).map(
    ({ name, severity }) => `${name} (${severity})`,
  )
  if (vulnerable.length === 0) return pass('No known vulnerabilities in runtime dependencies.')
  return fail(`Known vulnerabilities, see npm audit --omit=dev: ${vulnerable.join(', ')}`)
}

/** @param {string} message */
const pass = (message) => ({ exitCode: 0, message })
/** @param {string} message */
const fail = (message) => ({ exitCode: 1, message })
