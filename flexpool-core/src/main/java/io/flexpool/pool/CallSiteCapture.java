// SPDX-License-Identifier: Apache-2.0
package io.flexpool.pool;

/** Which leases record the application's call site. */
public enum CallSiteCapture {
    /** None. */
    OFF,
    /** About one in {@code call-sites.sample-every}: cheap enough to be always on. */
    SAMPLED,
    /** All: costs a stack walk for every request. */
    ALWAYS
}
