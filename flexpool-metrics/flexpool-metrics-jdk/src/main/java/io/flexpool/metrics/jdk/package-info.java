// SPDX-License-Identifier: Apache-2.0
/** Shows flexpool's own figures as MXBeans and JDK Flight Recorder events. */
@NullMarked
package io.flexpool.metrics.jdk;

import org.jspecify.annotations.NullMarked;
