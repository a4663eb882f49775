import type { Destinations } from '../../connectors/postgres/casework/deliveries/port.ts'
import type { Casework } from '../../connectors/postgres/casework/port.ts'
import type { SendMessage } from '../../connectors/receivers/port.ts'

/** What the routes of casework and of alerts work over. */
export type CaseworkPorts = {
  casework: Casework
  /** Where alerts go, and how a message goes there. */
  destinations: Destinations
  sendMessage: SendMessage
}
