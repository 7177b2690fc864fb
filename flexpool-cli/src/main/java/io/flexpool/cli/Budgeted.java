// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

/**
 * What one application may open at most. Immutable.
 *
 * @param name its name
 * @param instances at most
 * @param surge how many more there are in a rolling update, with the old revision still running
 * @param connections of one instance, all its pools together
 */
record Budgeted(String name, int instances, int surge, int connections) {
    long most() {
        return (long) (instances + surge) * connections;
    }
}
