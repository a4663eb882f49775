/** No provider: orders take effect at once and no request leaves the platform. The embedded default. */

import type { Payments } from './port.ts'

/** `returnUrl`: where the owner is sent unless the request names a place, as there is no payment page and no portal. */
export const localPayments = ({ returnUrl }: { returnUrl: string }): Payments => ({
  register: async ({ id }) => `local-${id}`,
  checkout: async (_payer, _order, back) => ({ url: back?.success ?? returnUrl, paid: true }),
  portal: async () => returnUrl,
  end: async () => undefined,
  remove: async () => undefined,
  notices: null,
})
