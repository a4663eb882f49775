/** The customer of the caller (decisions 6.6). */

import { Type } from 'typebox'
import type { Customer } from '../../../../connectors/postgres/accounts/team/port.ts'
import { MEMBER_ROLES } from '../../../../schemas/accounts/team.ts'
import { tierDescription } from '../../../../schemas/accounts/tiers/for-sale.ts'
import { change } from '../../../../schemas/audit/action.ts'
import { invalid } from '../../../http/errors.ts'
import { ACKNOWLEDGED, acknowledgement, CLOSED, email, text, uuid } from '../../../http/fields/common.ts'
import { type Route, reply, route } from '../../../http/route.ts'
import type { InvitationService } from '../../services/team/invitations-service.ts'
import type { TeamService } from '../../services/team/team-service.ts'
import { tierId } from '../../services/tier-administration.ts'

const BillingAddress = Type.Object(
  {
    street: text(1, 200),
    city: text(1, 100),
    state: text(0, 100),
    postalCode: text(1, 20),
    country: text(1, 100),
  },
  CLOSED,
)

const NewCustomerBody = Type.Object({ email, name: text(1, 200), billingAddress: BillingAddress }, CLOSED)

const Address = Type.Record(Type.Enum(['street', 'city', 'state', 'postalCode', 'country']), Type.String())

export const CustomerRecord = Type.Object({
  id: Type.String({ format: 'uuid', description: 'The same as `customerID`.' }),
  customerID: uuid,
  name: Type.String(),
  email: Type.String(),
  billingAddress: Address,
  tierName: Type.String(),
  stacks: Type.Integer({ description: 'Multiplies the quotas of the tier.' }),
  gcid: Type.Union([Type.String(), Type.Null()], {
    description: 'customer id at the payment provider, after the first contact',
  }),
  createdAt: Type.String({ format: 'date-time' }),
})

const TierRecord = Type.Object({
  customerId: uuid,
  tierId: Type.String(),
  tierName: Type.String(),
  description: Type.String(),
  isActive: Type.Boolean(),
  subscriptionStatus: Type.String(),
  stacks: Type.Integer({ description: 'Multiplies the quotas of the tier.' }),
  trialUsed: Type.Boolean(),
})

export const shownCustomer = (customer: Customer) => ({
  id: customer.id,
  customerID: customer.id,
  name: customer.name,
  email: customer.email,
  billingAddress: customer.billingAddress,
  tierName: customer.tier,
  stacks: customer.quantity,
  gcid: customer.providerCustomer,
  createdAt: new Date(customer.createdAt).toISOString(),
})

/** `none`: nothing was ever ordered, and nothing needs to be. */
export const subscriptionStatusOf = ({ tier, subscriptionStatus: status }: Customer): string =>
  status === 'active' && tier === 'Free' ? 'none' : status

/** An address in one line. */
export const addressLine = ({ street, city, state, postalCode, country }: Customer['billingAddress']): string =>
  [street, `${postalCode} ${city}`, state, country]
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join(', ')

/** There are no trials. */
const shownTier = (customer: Customer) => ({
  customerId: customer.id,
  tierId: tierId(customer.tier),
  tierName: customer.tier,
  description: tierDescription(customer.tier),
  isActive: customer.subscriptionStatus === 'active',
  subscriptionStatus: subscriptionStatusOf(customer),
  stacks: customer.quantity,
  trialUsed: false,
})

const PATH = '/api/billing/v1/customer'
const common = { tag: 'Customers', access: 'authenticated', scope: 'account' } as const

export const customerRoutes = (team: TeamService, invitations: InvitationService): Route[] => {
  const asMember = team.permit(MEMBER_ROLES, 'not_found')
  return [
    route({
      ...common,
      method: 'post',
      path: PATH,
      id: 'createCustomer',
      summary: 'Create a customer; the caller becomes its owner. 412 if the caller is already a member of a customer.',
      codes: ['forbidden', 'precondition_failed'],
      audit: change('customer.make', 'customers', 'made'),
      body: NewCustomerBody,
      responses: { 201: Type.Object({ ...acknowledgement, ...CustomerRecord.properties }) },
      handler: async ({ user, body }) =>
        reply(201, { ...ACKNOWLEDGED, ...shownCustomer(await team.create(user, body)) }),
    }),
    route({
      ...common,
      method: 'get',
      path: PATH,
      id: 'getCustomer',
      summary: 'Get the customer of the caller.',
      codes: ['not_found'],
      permit: asMember,
      responses: { 200: CustomerRecord },
      handler: async ({ user }) => reply(200, shownCustomer(await team.own(user))),
    }),
    route({
      ...common,
      method: 'get',
      path: `${PATH}/tier`,
      id: 'getCustomerTier',
      summary: 'Get the tier of the caller’s customer.',
      codes: ['not_found'],
      permit: asMember,
      responses: { 200: TierRecord },
      handler: async ({ user }) => reply(200, shownTier(await team.own(user))),
    }),
    route({
      ...common,
      method: 'post',
      path: `${PATH}/accept`,
      id: 'acceptMembership',
      summary:
        'Accept a membership or an invitation. Nothing follows from it until then, and the other invitations end.',
      codes: ['not_found', 'precondition_failed', 'conflict'],
      examples: { body: { invitation: 'the-text-behind-the-link-of-the-mail' } },
      audit: change('member.accept', 'memberships', 'caller'),
      body: Type.Object(
        {
          invitation: Type.Optional(
            Type.String({ pattern: '^[\\w-]{1,128}$', description: 'token from the invitation mail' }),
          ),
          customerID: Type.Optional({
            ...uuid,
            description: 'The customer of the membership to accept; needed when several wait.',
          }),
        },
        CLOSED,
      ),
      emptyBody: {},
      responses: { 204: null },
      handler: async ({ user, body }) => {
        const { invitation, customerID } = body
        if (invitation !== undefined && customerID !== undefined)
          throw invalid('customerID', 'cannot be combined with invitation; send only one of the two')
        if (invitation === undefined) await team.accept(user, customerID?.toLowerCase() ?? null)
        else await invitations.take(user, invitation)
        return reply(204)
      },
    }),
    route({
      ...common,
      method: 'get',
      path: `/api/billing/v1/admin/billing/status`,
      id: 'getBillingStatus',
      summary: 'Get the subscription of the calling administrator’s customer.',
      codes: ['not_found'],
      access: 'billing_admin',
      scope: 'admin',
      tag: 'Administration',
      responses: {
        200: Type.Object({
          customerId: uuid,
          tierName: Type.String(),
          subscriptionStatus: Type.String(),
          stripeCustomerID: Type.Union([Type.String(), Type.Null()]),
          stacks: Type.Integer(),
        }),
      },
      handler: async ({ user }) => {
        const customer = await team.own(user)
        return reply(200, {
          customerId: customer.id,
          tierName: customer.tier,
          subscriptionStatus: subscriptionStatusOf(customer),
          stripeCustomerID: customer.providerCustomer,
          stacks: customer.quantity,
        })
      },
    }),
    route({
      ...common,
      method: 'delete',
      path: `${PATH}/leave`,
      id: 'leaveCustomer',
      summary: 'Leave the customer, or decline an invitation. The last owner cannot leave.',
      codes: ['not_found', 'last_owner'],
      audit: change('member.leave', ['memberships', 'customers'], 'caller'),
      body: Type.Object(
        {
          customerID: Type.Optional({
            ...uuid,
            description:
              'The customer that is left or declined; default: that of the caller, or the only one that waits.',
          }),
        },
        CLOSED,
      ),
      emptyBody: {},
      responses: { 204: null },
      handler: async ({ user, body }) => {
        await team.leave(user, body.customerID?.toLowerCase() ?? null)
        return reply(204)
      },
    }),
  ]
}
