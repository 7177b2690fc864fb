// SPDX-License-Identifier: Apache-2.0
/** Wraps the pool of a Dropwizard application: {@code type: flexpool} in its configuration. */
@NullMarked
package io.flexpool.dropwizard;

import org.jspecify.annotations.NullMarked;
