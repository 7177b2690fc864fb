// SPDX-License-Identifier: Apache-2.0
/** An application of Quarkus whose pool grows while requests wait. */
@NullMarked
package io.flexpool.examples.quarkus;

import org.jspecify.annotations.NullMarked;
