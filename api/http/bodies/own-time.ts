/** Connections whose request may take longer than the server gives one, because its reader bounds it. */

import type { Socket } from 'node:net'

/** Of these the server ends no request for taking its time; whoever names one bounds its silence and its length. */
export const ownTime = new WeakSet<Socket>()
