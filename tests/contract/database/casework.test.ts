/** The suites of casework and of what is told of its alerts, whole, with a database each: they look at everything. */

import { suiteDatabase } from '../../builders/accounts/database/suites.ts'
import { caseworkContract } from '../casework/suite.ts'
import { deliveriesContract } from '../deliveries/suite.ts'

const { name, open } = suiteDatabase(4, 'own')

caseworkContract(`casework, ${name}`, open)
deliveriesContract(`deliveries, ${name}`, open)
