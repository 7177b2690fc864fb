// SPDX-License-Identifier: Apache-2.0
package io.flexpool.pool;

/** Of which leases the place in the application is captured that asked for the connection. */
public enum CallSiteCapture {
    /** Of none. */
    OFF,
    /** Of about one in {@code call-sites.sample-every}: cheap enough to be always on. */
    SAMPLED,
    /** Of each: costs a walk of the stack for every request. */
    ALWAYS
}
