// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.kotlin

import io.flexpool.OwnerToken
import io.flexpool.PoolScope
import kotlin.coroutines.AbstractCoroutineContextElement
import kotlin.coroutines.CoroutineContext
import kotlinx.coroutines.CopyableThreadContextElement
import kotlinx.coroutines.CoroutineName
import kotlinx.coroutines.DelicateCoroutinesApi
import kotlinx.coroutines.ExperimentalCoroutinesApi

/** Makes the coroutine the owner of the connections that it takes, in place of the thread that it runs on. */
@OptIn(ExperimentalCoroutinesApi::class, DelicateCoroutinesApi::class)
class CoroutineOwner private constructor(private val token: OwnerToken) :
    AbstractCoroutineContextElement(Key),
    CopyableThreadContextElement<PoolScope.Opened> {
    companion object Key : CoroutineContext.Key<CoroutineOwner>

    private var named = false

    constructor() : this(OwnerToken.create("coroutine"))

    override fun updateThreadContext(context: CoroutineContext): PoolScope.Opened {
        if (!named) {
            named = true
            token.name(context[CoroutineName]?.name ?: "coroutine")
        }
        return token.makeCurrent()
    }

    override fun restoreThreadContext(context: CoroutineContext, oldState: PoolScope.Opened) = oldState.close()

    override fun copyForChild() = CoroutineOwner(token.child())

    override fun mergeForChild(overwritingElement: CoroutineContext.Element): CoroutineContext =
        (overwritingElement as CoroutineOwner).copyForChild()
}
