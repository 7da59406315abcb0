import type { Texts } from '../../runtime/texts.ts'
import { SpeakerError, type SpeakerErrorCode } from '../speaker-error.ts'

/**
 * The errors of a system that plays sounds.
 * @param system such as `home-assistant`: a problem has the text `speaker.<system>.<name>`.
 * @param codes of its problems.
 */
export function problemsOf<Name extends string>(
  system: string,
  codes: Readonly<Record<Name, SpeakerErrorCode>>,
) {
  /** The error of a problem, in the language of Node-RED. */
  return (RED: Texts, name: Name, values: Readonly<Record<string, string>> = {}): SpeakerError =>
    new SpeakerError(codes[name], RED._(`speaker.${system}.${name}`, values))
}
