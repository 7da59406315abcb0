// npm run audit: reports known vulnerabilities in runtime dependencies. Exits with 0 if there are none, or if the registry
// has no list of vulnerabilities.
import { execFile } from 'node:child_process'
import { repository } from './prepare.js'

/** The responses of a registry mirror that serves only packages. */
const unsupportedStatuses = [404, 405, 501]

const { report, complaints } = await askNpm()
if (unsupportedStatuses.includes(report.statusCode)) {
  console.log('Not checked for known vulnerabilities: this registry has no list of them.')
} else if (!report.vulnerabilities) {
  console.error(`Cannot check for known vulnerabilities:\n${complaints}`)
  process.exitCode = 1
} else {
  const vulnerable = Object.values(report.vulnerabilities).map(
    ({ name, severity }) => `${name} (${severity})`,
  )
  if (vulnerable.length === 0) console.log('No known vulnerabilities in runtime dependencies.')
  else console.error(`Known vulnerabilities, see npm audit --omit=dev: ${vulnerable.join(', ')}`)
  process.exitCode = vulnerable.length === 0 ? 0 : 1
}

function askNpm() {
  const options = { cwd: repository, shell: process.platform === 'win32' }
  return new Promise((resolve) => {
    execFile('npm', ['audit', '--omit=dev', '--json'], options, (_error, output, complaints) =>
      resolve({ report: output.startsWith('{') ? JSON.parse(output) : {}, complaints }),
    )
  })
}
