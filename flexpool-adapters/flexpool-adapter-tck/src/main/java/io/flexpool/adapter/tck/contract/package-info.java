// SPDX-License-Identifier: Apache-2.0
/**
 * The contracts that every adapter must pass, as base classes of its tests. This package is the API of this artifact;
 * its other packages are not.
 */
@NullMarked
package io.flexpool.adapter.tck.contract;

import org.jspecify.annotations.NullMarked;
