// SPDX-License-Identifier: Apache-2.0
/** What every store of a fleet does. */
@NullMarked
package io.flexpool.fleet.tck;

import org.jspecify.annotations.NullMarked;
