import { datetime } from '../../intelligence/entities/datatypes/time.ts'

const NUMBER = /^\d{1,19}(?:\.\d{1,9})?$/
/** An offset without its colon, as Suricata writes it. */
const OFFSET = /([+-]\d{2})(\d{2})$/

/**
 * Unix milliseconds of a time as sensors write it: RFC 3339, also with an offset such as +0000, or a number of seconds,
 * milliseconds, microseconds or nanoseconds since 1970, which their size tells apart until the year 5138. Null for
 * anything else.
 */
export function sensorTime(text: string): number | null {
  if (NUMBER.test(text)) {
    const count = Number(text)
    if (count < 1e11) return Math.floor(count * 1_000)
    if (count < 1e14) return Math.floor(count)
    return Math.floor(count / (count < 1e17 ? 1e3 : 1e6))
  }
  const time = datetime(text.replace(OFFSET, '$1:$2'))
  return typeof time === 'string' ? Date.parse(time) : null
}
