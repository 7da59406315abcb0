/**
 * An address at which nothing listens. The system never assigns a port below 1024, unlike the port of a closed server, which
 * the next server of any test can get.
 */
export const unreachableUrl = 'http://127.0.0.1:2'
