// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

/**
 * The most connections that one application may open. Immutable.
 *
 * @param name the application's name
 * @param instances the maximum number of instances
 * @param surge the number of additional instances in a rolling update, beside the old revision
 * @param terminating the number of terminating instances of the old revision, which keep their connections until their
 *     end
 * @param connections the connections of one instance, all its pools together
 */
record Budgeted(String name, long instances, long surge, long terminating, long connections) {
    Budgeted with(long other) {
        return new Budgeted(name, instances, surge, terminating, other);
    }

    long most() {
        return (instances + surge + terminating) * connections;
    }
}
