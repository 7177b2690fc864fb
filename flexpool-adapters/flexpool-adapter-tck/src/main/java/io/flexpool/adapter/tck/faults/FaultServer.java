// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.faults;

/** A server whose binaries are too large for every build: there if a profile has put its provider on the class path. */
public interface FaultServer {
    /**
     * Starts it.
     *
     * @throws IllegalStateException if it cannot be started; the message says why
     */
    FaultDatabase start();
}
