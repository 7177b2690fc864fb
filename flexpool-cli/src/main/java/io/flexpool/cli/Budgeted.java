// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

/**
 * What one application may open at most. Immutable.
 *
 * @param name its name
 * @param instances at most
 * @param surge how many more there are in a rolling update, with the old revision still running
 * @param terminating how many of the old revision are ending meanwhile, and keep their connections until then
 * @param connections of one instance, all its pools together
 */
record Budgeted(String name, long instances, long surge, long terminating, long connections) {
    Budgeted with(long other) {
        return new Budgeted(name, instances, surge, terminating, other);
    }

    long most() {
        return (instances + surge + terminating) * connections;
    }
}
